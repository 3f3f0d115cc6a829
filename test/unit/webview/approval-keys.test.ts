// The keys that answer an approval take nothing from typing, and the button names the one that holds in the diff, too.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { answerOfKey, rejectKeyOf } from '../../../webview-ui/approvals/approval-keys';

const press = (keys: string) => {
  const held = keys.split('+');
  return {
    key: held.at(-1) ?? '',
    altKey: held.includes('Alt'),
    ctrlKey: held.includes('Ctrl'),
    metaKey: held.includes('Meta'),
    shiftKey: held.includes('Shift'),
  };
};

describe('the keys of an approval', () => {
  for (const [keys, platform, typed, answer] of [
    ['Alt+Enter', 'other', true, 'accept'],
    ['Alt+Enter', 'mac', true, 'accept'],
    ['Alt+Backspace', 'other', false, 'reject'],
    ['Alt+Backspace', 'other', true, undefined],
    ['Alt+Backspace', 'mac', true, undefined],
    ['Alt+Meta+Backspace', 'mac', true, 'reject'],
    ['Alt+Meta+Backspace', 'other', false, undefined],
    ['Alt+Meta+Enter', 'mac', false, undefined],
    ['Meta+Backspace', 'mac', false, undefined],
    ['Ctrl+Alt+Backspace', 'mac', false, undefined],
    ['Shift+Alt+Enter', 'other', false, undefined],
    ['Enter', 'other', false, undefined],
  ] as const) {
    it(`${keys} on ${platform}, ${typed ? 'with' : 'without'} text: ${answer ?? 'nothing'}`, () =>
      assert.equal(answerOfKey(press(keys), platform, typed), answer));
  }

  it('are named as package.json binds them', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      contributes: { keybindings: { command: string; key: string; mac: string }[] };
    };
    const bound = contributes.keybindings.find(({ command }) => command === 'deft.rejectEdit');
    assert.equal(bound?.key, rejectKeyOf('other').name.toLowerCase());
    assert.equal(bound?.mac, rejectKeyOf('mac').name.toLowerCase().replace('option', 'alt'));
  });
});
