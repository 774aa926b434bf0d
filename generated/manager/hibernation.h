/* Generated from model/manager/hibernation.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 bbb6a66a9d65abe1 */

#ifndef MANAGER_HIBERNATION_H
#define MANAGER_HIBERNATION_H

#include "types.h"

status_t hibernation_hibernate(struct manager *s, agent_id_t a);
status_t hibernation_unexpected(const struct manager *s, agent_id_t a, uint64_t number, step_t step);
status_t hibernation_frozen(struct manager *s, agent_id_t a, uint64_t number, uint64_t plain, uint64_t first,
                            uint64_t second, uint64_t third, uint64_t fourth);
status_t hibernation_packed(struct manager *s, agent_id_t a, uint64_t number, uint64_t size);
status_t hibernation_written(struct manager *s, agent_id_t a, uint64_t number, uint64_t at);
status_t hibernation_recorded(struct manager *s, agent_id_t a, uint64_t number);
status_t hibernation_freed(struct manager *s, agent_id_t a, uint64_t number);
status_t hibernation_reconstruct(struct manager *s, agent_id_t a);
status_t hibernation_read(struct manager *s, agent_id_t a, uint64_t number, uint64_t at, uint64_t size);
status_t hibernation_unpacked(struct manager *s, agent_id_t a, uint64_t number, uint64_t plain, uint64_t first,
                              uint64_t second, uint64_t third, uint64_t fourth);

#endif
