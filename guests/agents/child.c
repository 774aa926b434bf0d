/* What may an agent do that another has made? It sends, which it was given, and tries what it was not given. */
#include "corollary.h"

enum { ANSWER = 42 };

uint32_t run(void)
{
    uint64_t word = ANSWER;
    struct about about;

    tell("receive where it may send: ", recv(SENDING, &word, 1, &about));
    tell("use the edge of its parent: ", send(FAMILY, &word, 1, SCHEMA));
    tell("spawn a child: ", spawn_agent(CHILD, 0, 0, 0, &word));
    tell("hibernate: ", hibernate(OWN));
    word = ANSWER;
    tell("send what it was asked for: ", send(SENDING, &word, 1, SCHEMA));
    return 0;
}
