// docs/models.md says what the tables say now.
import assert from 'node:assert/strict';
import { knownModelIds } from '../../src/core/model/models';
import { modelsDocument, modelsDocumentFile } from './models-document';
import { matchFile } from './snapshot';

describe('docs/models.md', () => {
  it('is what the tables say', () => {
    const text = modelsDocument();
    for (const id of knownModelIds) assert.ok(text.includes(`| \`${id}\` |`), id);
    matchFile(modelsDocumentFile, text);
  });
});
