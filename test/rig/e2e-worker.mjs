// One of the processes that the tests that click are dealt to; its argument is the bundled `e2e-file`.
import process from 'node:process';
import { pathToFileURL } from 'node:url';

process.setSourceMapsEnabled(true);
const { runFile, endFiles } = await import(pathToFileURL(process.argv[2]).href);

/** Keeps what `work` prints, so that two files do not mix their lines. */
async function captured(work) {
  const { write } = process.stdout;
  let output = '';
  process.stdout.write = (chunk, encoding, done) => {
    output += chunk.toString();
    (typeof encoding === 'function' ? encoding : done)?.();
    return true;
  };
  try {
    return { result: await work(), output };
  } finally {
    process.stdout.write = write;
  }
}

process.on('message', async (message) => {
  if (message.type === 'end') {
    await endFiles();
    process.exit(0);
  }
  const work = () =>
    runFile(message.file, message.grep).catch((error) => ({
      file: message.file,
      passed: 0,
      skipped: 0,
      failures: [{ title: message.file, error: String(error?.stack ?? error) }],
    }));
  process.send(message.live ? { result: await work(), output: '' } : await captured(work));
});
// The process that deals has ended: nothing of this one stays.
process.on('disconnect', () => void endFiles().finally(() => process.exit(1)));
