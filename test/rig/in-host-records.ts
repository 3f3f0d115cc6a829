// What a runner and the tests inside the extension host exchange, through two files: a request and its records.

/** Names the variable that holds the path of the request file. */
export const REQUEST_VARIABLE = 'DEFT_TEST_REQUEST';

export type RunRequest = {
  /** Folder below test/integration, or '' for test/integration itself. */
  readonly suite: string;
  /** Part of a file's path. */
  readonly filter: string;
  readonly grep?: string;
  /** File that the records are appended to. */
  readonly records: string;
};

export type RunRecord =
  | { readonly type: 'start'; readonly title: string }
  | { readonly type: 'pass'; readonly title: string; readonly milliseconds: number }
  | { readonly type: 'fail'; readonly title: string; readonly error: string }
  | { readonly type: 'skip'; readonly title: string }
  | { readonly type: 'log'; readonly text: string }
  | { readonly type: 'crash'; readonly error: string }
  | { readonly type: 'end' };

export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** The records of a text, and what follows the last full line (a line that is still being written). */
export function parseRecords(text: string): { readonly records: RunRecord[]; readonly rest: string } {
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  return { records: lines.filter((line) => line !== '').map((line) => JSON.parse(line) as RunRecord), rest };
}

/**
 * Counts a run. One that did not end, or crashed before a test failed, or ran nothing, counts as a failure: a check
 * never passes on nothing.
 */
export function tally(records: readonly RunRecord[]): Tally {
  const count = (type: RunRecord['type']): number => records.filter((record) => record.type === type).length;
  const passed = count('pass');
  const failed = count('fail');
  const broken = count('end') === 0 || (count('crash') > 0 && failed === 0) || passed + failed === 0;
  return { passed, failed: failed + (broken ? 1 : 0), skipped: count('skip') };
}

/** The test that was running when the records end, if any. */
export function unfinishedTest(records: readonly RunRecord[]): string | undefined {
  const last = records.findLast((record) => record.type !== 'log');
  return last?.type === 'start' ? last.title : undefined;
}

/** The line that `npm test` adds up. */
export function tallyLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
