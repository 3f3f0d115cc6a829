// Of what waits, cards say what it would do: every tool's sentence has such a form.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { infinitive } from '../../../src/shared/infinitive';

/** The first words of what the tools say they are doing. */
function gerunds(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) return gerunds(file);
    if (!file.endsWith('.ts')) return [];
    return [...readFileSync(file, 'utf8').matchAll(/\bnow: [`']([A-Z]\w+ing)\b/g)].map(([, word = '']) => word);
  });
}

describe('infinitive', () => {
  it('is what a call would do', () => {
    assert.equal(infinitive('Editing src/a.ts'), 'Edit src/a.ts');
    assert.equal(infinitive('Running npm run Running'), 'Run npm run Running');
    assert.equal(infinitive('explore agent: look'), 'explore agent: look');
  });

  it('is known of every word with which a sentence of a tool begins', () => {
    const words = [...new Set(gerunds('src/core'))];
    assert.ok(words.length > 15, `${words.length} words found`);
    assert.deepEqual(
      words.filter((word) => infinitive(word) === word),
      [],
    );
  });
});
