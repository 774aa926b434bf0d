// `node:https`: the same as `node:http`; the runtime checks whom it talks to.
import { moduleFor } from 'http';

const made = moduleFor('https:');
export const { Agent, globalAgent, request, get } = made;
export default made;
