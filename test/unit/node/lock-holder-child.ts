// Holds a session's lock, and says so; its parent kills it.
import { lockSession } from '../../../src/node/sessions/session-lock';

await lockSession(process.argv[2] ?? '', async () => 0, 20);
process.stdout.write('held\n');
setInterval(() => undefined, 60_000);
