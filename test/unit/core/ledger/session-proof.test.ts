// What a whole session proves of some files, for commits and pull requests.
import assert from 'node:assert/strict';
import { proofLine, sessionProof } from '../../../../src/core/ledger/session-proof';
import { ledgerLog, root, type Step } from '../../../support/ledger-log';

const proofOf = (steps: Step[], files = ['a.ts']) =>
  sessionProof(ledgerLog(steps), { paths: new Set(files.map((file) => `${root}/${file}`)) });
const run: Step = { run: 'npm test', out: 'Tests:       41 passed, 41 total' };

describe('the proof of a session', () => {
  it('counts over turns: a check after the last edit of these files, whatever was edited besides', () => {
    const steps: Step[] = [
      { prompt: 'x' },
      { edit: 'a.ts', hash: 'now' },
      'end',
      { prompt: 'y' },
      run,
      { edit: 'b.ts' },
      'end',
    ];
    const { ledger, hashes } = proofOf(steps);
    assert.match(proofLine(ledger), /^41 tests passed after the last edit/);
    assert.equal(hashes.get(`${root}/a.ts`), 'now');
    assert.deepEqual(ledger.files, [{ path: `${root}/a.ts`, edits: 1 }]);
    assert.match(proofLine(proofOf(steps, ['a.ts', 'b.ts']).ledger), /^41 tests passed before the last edit/);
    assert.match(proofLine(ledger, ['a.ts']), / · a\.ts changed again since$/);
    assert.doesNotMatch(proofLine(ledger, ['README.md']), /since/);
  });

  it('says what was not run, and nothing where nothing is to be checked', () => {
    assert.match(
      proofLine(proofOf([{ prompt: 'x' }, { edit: 'a.ts' }, 'end']).ledger),
      /^tests not run · types not checked$/,
    );
    assert.equal(proofLine(proofOf([{ prompt: 'x' }, { edit: 'notes.md' }, 'end'], ['notes.md']).ledger), '');
    assert.equal(proofLine(proofOf([{ prompt: 'x' }, { edit: 'a.ts' }, 'end'], ['other.ts']).ledger), '');
  });
});
