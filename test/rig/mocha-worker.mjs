// One of the processes that `node test/run.mjs --processes N` deals files to.
import process from 'node:process';
import Mocha from 'mocha';
import { runFiles } from './mocha-run.mjs';

/** What is told goes to the process that deals. */
class Silent extends Mocha.reporters.Base {}

process.on('message', ({ file, grep }) => {
  const send = (message) => void process.send(message);
  runFiles([file], { reporter: Silent, grep, onEvent: send }).then(
    () => send({ type: 'done' }),
    (error) => {
      send({ type: 'fail', title: file, milliseconds: 0, error: String(error?.stack ?? error) });
      send({ type: 'done' });
    },
  );
});
// Sockets and child processes that a test forgot must not keep the run alive.
process.on('disconnect', () => process.exit(0));
