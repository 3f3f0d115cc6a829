// Runs the tests that click: mocha on Node, a real VS Code in a browser, a picture of every failure.
import Mocha from 'mocha';
import { describeApi, recoverAll } from '../e2e/support/deft';
import { closeAllWindows, describeAll, endAll, screenshotAll } from '../e2e/support/window';
import { ensureBrowser } from './browser';
import { cleanUp } from './cleanup';
import { tallyLine } from './in-host-records';
import { ensureRig, rigUnavailable } from './install';

const TEST_MILLISECONDS = 120_000;

/** `[--grep expression]` and the bundled test files; resolves with the exit code. */
export async function main(args: readonly string[], files: readonly string[]): Promise<number> {
  const reason = rigUnavailable();
  if (reason) {
    console.log(`Skipped: the end-to-end tests. ${reason}`);
    console.log(tallyLine({ passed: 0, failed: 0, skipped: 0 }));
    return 0;
  }
  ensureRig();
  ensureBrowser();
  // A browser on a busy machine loses a click now and then: one second chance, told at the end, and a fault that stays fails.
  const mocha = new Mocha({ ui: 'bdd', timeout: TEST_MILLISECONDS, reporter: 'spec', retries: 1 });
  if (args.includes('--grep')) mocha.grep(new RegExp(args[args.indexOf('--grep') + 1] ?? ''));
  const secondTries: string[] = [];
  const describeFailure = async (title: string): Promise<void> => {
    for (const picture of await screenshotAll(title)) console.log(`      picture: ${picture}`);
    for (const told of [...(await describeAll()), await describeApi()]) console.log(told.replaceAll(/^/gm, '        | '));
  };
  // mocha tries tests again but never what opens their window.
  mocha.suite.on('pre-require', (context) => {
    const { before } = context;
    context.before = (first: string | Mocha.AsyncFunc | Mocha.Func, second?: Mocha.AsyncFunc | Mocha.Func) => {
      const prepare = (typeof first === 'string' ? second : first) as Mocha.AsyncFunc;
      before(async function (this: Mocha.Context) {
        this.timeout(2 * TEST_MILLISECONDS);
        try {
          await prepare.call(this);
        } catch (error) {
          const title = `before: ${this.test?.parent?.fullTitle() ?? 'a test'}`;
          console.log(error);
          await describeFailure(title);
          secondTries.push(title);
          await closeAllWindows();
          await prepare.call(this);
        }
      });
    };
  });
  mocha.rootHooks({
    async afterEach(this: Mocha.Context) {
      const test = this.currentTest;
      // Before a second try, mocha leaves the state open.
      if (test === undefined || test.state === 'passed' || test.isPending()) return;
      if (test.state === undefined) secondTries.push(test.fullTitle());
      this.timeout(TEST_MILLISECONDS);
      await describeFailure(test.fullTitle());
      await recoverAll();
    },
  });
  for (const file of files) mocha.addFile(file);
  try {
    await mocha.loadFilesAsync();
    // A file's windows are its own: whatever it forgot to close would take memory and focus from the next.
    for (const suite of mocha.suite.suites) suite.afterAll('close windows', closeAllWindows);
    const stats = await new Promise<Mocha.Stats>((resolve) => {
      const runner = mocha.run(() =>
        resolve(runner.stats ?? { suites: 0, tests: 0, passes: 0, pending: 0, failures: 1 }),
      );
      // The report tells only why a second try failed.
      runner.on('retry', (_test: Mocha.Test, error: unknown) => console.log(error));
    });
    const nothing = stats.passes + stats.failures === 0;
    if (nothing) console.error('No test ran.');
    const failed = stats.failures + (nothing ? 1 : 0);
    for (const title of secondTries) console.log(`Needed a second try: ${title}`);
    console.log(tallyLine({ passed: stats.passes, failed, skipped: stats.pending }));
    return failed > 0 ? 1 : 0;
  } finally {
    await endAll();
    await cleanUp();
  }
}
