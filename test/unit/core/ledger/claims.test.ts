// Claims of answers against their logs: planted false and stale ones are found, and no honest answer is marked.
import assert from 'node:assert/strict';
import { createLedgerFold } from '../../../../src/core/ledger/ledger-fold';
import { ledgerLog, type Step } from '../../../support/ledger-log';
import { type Answer, honest, lies, logs } from './claim-corpus';

function marked([log, says, prompt]: Answer): string[] {
  const fold = createLedgerFold();
  const asked: Step[] = prompt === undefined ? [] : ['end', { prompt }];
  return ledgerLog([{ prompt: 'Fix the date bug.' }, ...logs[log], ...asked, { says }, 'end']).flatMap((record) =>
    fold.add(record).flatMap(({ claims }) => claims.map(({ text, reason }) => `${text} <${reason}>`)),
  );
}

describe('claims of answers', () => {
  it('are found where the log does not bear them', () => {
    assert.ok(lies.length >= 60, `${lies.length} false answers`);
    const missed = lies.filter((answer) => marked(answer).length === 0);
    assert.ok(missed.length <= lies.length / 10, JSON.stringify(missed, undefined, 1));
    console.log(
      `${lies.length - missed.length} of ${lies.length} found; missed: ${JSON.stringify(missed.map(([, text]) => text))}`,
    );
  });

  it('are never found in honest answers', () => {
    assert.ok(honest.length >= 60, `${honest.length} honest answers`);
    assert.deepEqual(
      honest.flatMap((answer) => marked(answer).map((mark) => [answer[0], mark])),
      [],
    );
  });
});
