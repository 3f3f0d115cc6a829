import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createHeadlessPlace, jsonLines, type HeadlessPlace } from '../../support/headless-run';

const sample = path.resolve('media/sample');

describe('the demo, headless', function () {
  this.timeout(60_000);
  let place: HeadlessPlace;
  afterEach(() => place.remove());

  const coupon = (): Promise<string> => readFile(path.join(place.workspace, 'src/coupon.js'), 'utf8');

  it('finds the bug in the sample, mends it and shows that the tests pass', async () => {
    place = await createHeadlessPlace(sample);
    assert.match(await coupon(), /<= 0/);
    const end = await place.run([
      '-p',
      'What is wrong with the coupons?',
      '--demo',
      '--permission-mode',
      'acceptEdits',
      '--allowedTools',
      'Bash',
      '--output-format',
      'stream-json',
    ]);
    assert.equal(end.code, 0, end.stderr);
    assert.equal(end.stderr, '');
    assert.match(await coupon(), /daysBetween\(today, coupon\.lastDay\) < 0;/);
    const lines = jsonLines(end.stdout);
    assert.equal(lines[0]?.['model'], 'deft-demo');
    const result = lines.at(-1);
    assert.match(String(result?.['result']), /All 6 tests pass: a coupon is good on its last day again/);
    assert.equal(result?.['total_cost_usd'], 0);
    const tests = JSON.stringify(
      lines.find((line) => JSON.stringify(line).includes('tool_use_result') && /# pass/.test(JSON.stringify(line))),
    );
    assert.match(tests, /# fail 0/);
    assert.doesNotMatch(tests, /npm/);
  });

  it('answers a further question honestly', async () => {
    place = await createHeadlessPlace(sample);
    const args = ['--demo', '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash'];
    await place.run(['-p', 'Go', ...args]);
    const end = await place.run(['-p', 'And what is the weather like?', '--continue', ...args]);
    assert.match(end.stdout, /^This is a scripted demo/);
  });

  it('without leave it changes nothing and says so', async () => {
    place = await createHeadlessPlace(sample);
    const end = await place.run(['-p', 'Go', '--demo']);
    assert.equal(end.code, 0, end.stderr);
    assert.match(await coupon(), /<= 0/);
    assert.match(end.stdout, /stays as it is/);
  });

  it('in another folder it only looks', async () => {
    place = await createHeadlessPlace();
    await writeFile(path.join(place.workspace, 'notes.txt'), 'mine\n');
    const end = await place.run(['-p', 'Go', '--demo', '--permission-mode', 'bypassPermissions']);
    assert.match(end.stdout, /not the sample workspace.*notes\.txt.*changed nothing/s);
  });
});
