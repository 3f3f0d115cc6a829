// The "/name" at the start of a message: when one is being typed, and what choosing one writes.
import assert from 'node:assert/strict';
import { applySlash, runsAtOnce, slashAt } from '../../../webview-ui/composer/slash';

describe('a command in the composer', () => {
  const typed: [text: string, cursor: number, query: string | undefined][] = [
    ['/', 1, ''],
    ['/de', 3, 'de'],
    ['/de', 1, ''],
    ['/apps/web:de', 12, 'apps/web:de'],
    ['/de prod', 8, undefined],
    ['/de prod', 2, 'd'],
    ['say /de', 7, undefined],
    [' /de', 4, undefined],
    ['', 0, undefined],
    ['/de\n', 4, undefined],
  ];
  for (const [text, cursor, query] of typed)
    it(`${JSON.stringify(text)} at ${cursor}`, () => assert.equal(slashAt(text, cursor), query));

  it('is written out with what stands behind it', () => {
    assert.deepEqual(applySlash('/de', 3, { name: 'deploy' }), { text: '/deploy ', cursor: 8 });
    assert.deepEqual(applySlash('/de prod', 2, { name: 'deploy' }), { text: '/deploy prod', cursor: 8 });
  });

  it('runs by Enter where it takes nothing, or stands there whole', () => {
    assert.equal(runsAtOnce('/cl', { name: 'clear' }), true);
    assert.equal(runsAtOnce('/de', { name: 'deploy', argumentHint: '[env]' }), false);
    assert.equal(runsAtOnce('/deploy', { name: 'deploy', argumentHint: '[env]' }), true);
    assert.equal(runsAtOnce('/cl that', { name: 'clear' }), false);
  });
});
