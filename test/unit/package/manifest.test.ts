// What package.json promises: keys that take nothing from typing, and the versions that the code was tried with.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Key {
  command: string;
  key: string;
  mac?: string;
  when?: string;
}
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  engines: { node: string; vscode: string };
  scripts: Record<string, string>;
  contributes: { keybindings: Key[]; menus: Record<string, { command: string; when?: string; group?: string }[]> };
};
const { keybindings, menus } = manifest.contributes;

describe('the manifest', () => {
  it('takes no key from typing in the right side of a diff, or in a file that is reviewed', () => {
    const inDiff = keybindings.filter(({ when }) => when?.includes('== deft-proposed') === true);
    const inFiles = keybindings.filter(({ when }) => when?.includes('editorTextFocus') === true);
    assert.deepEqual(
      inDiff.map(({ command }) => command),
      ['deft.acceptEdit', 'deft.takeBackHunk', 'deft.rejectEdit'],
    );
    // Option deletes words on a Mac, Ctrl elsewhere; Cmd whole lines.
    const editing = {
      mac: /^(alt|cmd|ctrl|ctrl\+alt)\+(backspace|delete)$/,
      others: /^(ctrl|ctrl\+shift|shift)\+(backspace|delete)$/,
    };
    assert.deepEqual(
      [...inDiff, ...inFiles].filter(({ key, mac }) => editing.mac.test(mac ?? key) || editing.others.test(key)),
      [],
    );
  });

  it('leads out of the chat with the key that leads into it', () => {
    const bound = keybindings.filter(({ key, mac }) => key === 'ctrl+escape' && mac === 'cmd+escape');
    assert.deepEqual(
      bound.map(({ command, when }) => [command, when]),
      [
        ['deft.focus', '!deft.chatFocused'],
        ['deft.leaveChat', 'deft.chatFocused'],
      ],
    );
  });

  it('has in the menu of a row all that its buttons do: a keyboard reaches only the menu', () => {
    const inRows = menus['view/item/context'] ?? [];
    const isButton = ({ group = '' }: { group?: string }) => group.startsWith('inline');
    const buttons = inRows.filter(isButton).map(({ command, when }) => `${command} ${when}`);
    const entries = inRows.filter((one) => !isButton(one)).map(({ command, when }) => `${command} ${when}`);
    assert.ok(buttons.length >= 3);
    assert.deepEqual(
      buttons.filter((one) => !entries.includes(one)),
      [],
    );
    assert.deepEqual(
      keybindings.filter(({ command }) => command === 'deft.renameSession').map(({ key, when }) => [key, when]),
      [['f2', 'focusedView == deft.sessions']],
    );
  });

  it('has scripts that run in a fresh clone: each installs what is missing before it imports anything of it', () => {
    const scripts = Object.entries(manifest.scripts);
    assert.ok(scripts.length >= 15);
    for (const [name, line] of scripts) {
      const first = /^node (\S+\.mjs)/.exec(line)?.[1] ?? assert.fail(`${name}: ${line}`);
      assert.deepEqual(packagesBefore(first), [], `${name} begins with ${first}`);
    }
  });

  it('asks for the Node that its packages ask for', () => {
    const { engines } = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages[''] as {
      engines: { node: string };
    };
    assert.deepEqual([manifest.engines.node, engines.node], ['>=20.19', '>=20.19']);
  });
});

/** What a script imports of packages before its own first line runs. */
function packagesBefore(file: string): string[] {
  const imported = [...readFileSync(file, 'utf8').matchAll(/^import .*?'([^']+)';$/gm)].map(([, name]) => name ?? '');
  return imported.flatMap((name) => {
    if (name.startsWith('.')) return packagesBefore(path.posix.join(path.posix.dirname(file), name));
    return name.startsWith('node:') ? [] : [name];
  });
}
