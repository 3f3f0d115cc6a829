import assert from 'node:assert/strict';
import { type Diagnostic } from '../../../src/core/ports/diagnostics';
import { createAnswerRecord } from '../../../src/vscode/diagnostics/answer-record';
import { hasLanguageServer } from '../../../src/vscode/diagnostics/language-servers';
import { addedDiagnostics } from '../../../src/core/tools/edit/compare-diagnostics';

const problem = (line: number, message: string): Diagnostic => ({
  path: '/a.ts',
  line,
  column: 1,
  severity: 'error',
  message,
});

describe('new diagnostics', () => {
  it('are not those that only moved to another line', () => {
    assert.deepEqual(addedDiagnostics([problem(3, 'old')], [problem(9, 'old'), problem(4, 'new')]), [
      problem(4, 'new'),
    ]);
  });

  it('count: the second of a kind is new', () => {
    assert.deepEqual(addedDiagnostics([problem(3, 'same')], [problem(3, 'same'), problem(5, 'same')]), [
      problem(5, 'same'),
    ]);
  });
});

describe('waiting for language servers', () => {
  it('does not happen where nobody looks after the file', () => {
    assert.equal(createAnswerRecord().worthWaiting('/a.txt', true, false), false);
  });

  it('is given up after two silences, for open and closed files apart', () => {
    const record = createAnswerRecord();
    record.silent('/a.ts', false);
    assert.equal(record.worthWaiting('/b.ts', false, true), true);
    record.silent('/b.ts', false);
    assert.equal(record.worthWaiting('/c.ts', false, true), false);
    assert.equal(record.worthWaiting('/c.ts', true, true), true);
    assert.equal(record.worthWaiting('/c.rs', false, true), true);
  });

  it('goes on for open files of a kind that was ever answered, with or without a known server', () => {
    const record = createAnswerRecord();
    record.answered('/a.ts', true);
    for (let time = 0; time < 5; time++) record.silent('/a.ts', true);
    assert.equal(record.worthWaiting('/b.ts', true, false), true);
    assert.equal(record.worthWaiting('/b.ts', false, false), false);
  });

  it('starts again for closed files once an answer comes late', () => {
    const record = createAnswerRecord();
    for (let time = 0; time < 5; time++) record.silent('/a.ts', false);
    record.answered('/a.ts', false);
    assert.equal(record.worthWaiting('/a.ts', false, true), true);
  });
});

describe('language servers by manifest', () => {
  const grammar = {
    isActive: true,
    packageJSON: {
      contributes: {
        languages: [
          { id: 'typescript', extensions: ['.ts'] },
          { id: 'dockerfile', filenames: ['Dockerfile'] },
        ],
      },
    },
  };
  const server = {
    isActive: true,
    packageJSON: { main: './x.js', activationEvents: ['onLanguage:typescript', 'onLanguage:dockerfile'] },
  };

  it('are extensions with code that run and start for the language', () => {
    assert.equal(hasLanguageServer([grammar, server], '/w/a.ts', undefined), true);
    assert.equal(hasLanguageServer([grammar, server], '/w/Dockerfile', undefined), true);
    assert.equal(hasLanguageServer([grammar, server], '/w/a.txt', undefined), false);
    assert.equal(hasLanguageServer([grammar, { ...server, isActive: false }], '/w/a.ts', undefined), false);
    assert.equal(hasLanguageServer([grammar], '/w/a.ts', undefined), false);
  });

  it('go by the language of an open document where there is one', () => {
    assert.equal(hasLanguageServer([grammar, server], '/w/a.txt', 'typescript'), true);
    assert.equal(hasLanguageServer([grammar, server], '/w/a.ts', 'plaintext'), false);
  });

  it('are looked for in whatever a manifest holds', () => {
    assert.equal(
      hasLanguageServer(
        [
          {
            isActive: true,
            packageJSON: { main: 1, activationEvents: 'x', contributes: { languages: [null, { id: 3 }] } },
          },
        ],
        '/a.ts',
        undefined,
      ),
      false,
    );
  });
});
