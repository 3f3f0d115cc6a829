// Reads a session of the public tool by the SDK's own functions; prints what they see, as JSON. Argument: its ID.
import { getSessionInfo, getSessionMessages, listSessions } from '@anthropic-ai/claude-agent-sdk';

const [, , id] = process.argv;
const dir = process.cwd();
const [info, messages, listed] = await Promise.all([
  getSessionInfo(id, { dir }),
  getSessionMessages(id, { dir }),
  listSessions({ dir }),
]);
console.log(JSON.stringify({ info, messages, listed: listed.map(({ sessionId }) => sessionId) }));
