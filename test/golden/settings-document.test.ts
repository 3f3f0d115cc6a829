// docs/extension-settings.md says what package.json says now.
import assert from 'node:assert/strict';
import { contributedSettings, settingsDocument, settingsDocumentFile } from './settings-document';
import { matchFile } from './snapshot';

describe('docs/extension-settings.md', () => {
  it('is what package.json says', () => {
    const text = settingsDocument();
    const names = Object.keys(contributedSettings());
    assert.ok(names.length >= 20);
    for (const name of names) assert.ok(text.includes(`\n| \`${name}\` | `), name);
    assert.deepEqual(
      text.split('\n').filter((line) => line.startsWith('| `') && !/^(\|(\\\||[^|])+){4}\|$/.test(line)),
      [],
    );
    matchFile(settingsDocumentFile, text);
  });
});
