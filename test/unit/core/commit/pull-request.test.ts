// The text of a pull request: its proof comes from the log, and what is untested is said.
import assert from 'node:assert/strict';
import {
  describedByCommits,
  hostingOf,
  previewText,
  pullRequestBody,
  readDescribed,
  readPreview,
  readRemote,
} from '../../../../src/core/commit/pull-request';
import { sessionProof } from '../../../../src/core/ledger/session-proof';
import { ledgerLog, root, type Step } from '../../../support/ledger-log';

const described = { title: 'T', what: 'W', why: 'Y' };
const bodyOf = (steps: Step[] | undefined, more: Partial<Parameters<typeof pullRequestBody>[1]> = {}): string =>
  pullRequestBody(described, {
    ledger: steps && sessionProof(ledgerLog(steps), { paths: new Set([`${root}/a.ts`]) }).ledger,
    named: (text) => text.replaceAll(`${root}/`, ''),
    foreign: [],
    since: [],
    settings: {},
    session: undefined,
    ...more,
  });

describe('the text of a pull request', () => {
  it('proves what the log proves, and says what is untested', () => {
    const run: Step = { run: 'npm test', out: 'Tests:       41 passed, 41 total' };
    const tested = bodyOf([{ prompt: 'x' }, { edit: 'a.ts' }, run, { says: 'All great.' }, 'end']);
    assert.match(
      tested,
      /^## What changed\n\nW\n\n## Why\n\nY\n\n## Proof\n\n- npm test: 41 tests passed, after the last edit\n- Types not checked after the edit of a\.ts\.$/,
    );
    const untested = bodyOf([{ prompt: 'x' }, { edit: 'a.ts' }, 'end']);
    assert.match(
      untested,
      /## Proof\n\n- Untested: no check ran in the session\.\n- Tests not run after the edit of a\.ts\./,
    );
    assert.match(bodyOf(undefined), /## Proof\n\nUntested as far as Deft knows/);
    const late = bodyOf([{ prompt: 'x' }, run, { edit: 'a.ts' }, 'end'], { foreign: ['b.ts'], since: ['a.ts'] });
    assert.match(late, /before the last edit of a\.ts/);
    assert.match(
      late,
      /- Changed again after the last edit that the log knows: a\.ts\.\n- Not edited in the session whose log this is: b\.ts\.$/,
    );
  });

  it('ends as settings say, with the trailer behind', () => {
    const body = bodyOf(undefined, { settings: { attribution: { pr: 'Made by Ann' } }, session: '01234567-x' });
    assert.match(body, /\n\nMade by Ann\n\nDeft-Session: 01234567-x$/);
  });

  it('is read from its preview as the user edited it, without the comment', () => {
    const text = previewText({ title: 'T --> x', body: '## What\n\n<!-- own -->' }, ['A note -- with dashes -->']);
    assert.deepEqual(readPreview(text), { title: 'T --> x', body: '## What\n\n<!-- own -->' });
    assert.deepEqual(readPreview(text.replace('# T', '#   New')), {
      title: 'New --> x',
      body: '## What\n\n<!-- own -->',
    });
    assert.equal(readPreview('<!-- a -->\n\nNo heading'), undefined);
    assert.equal(readPreview('## Second level'), undefined);
  });

  it('comes from a model that answers, else from the commits', () => {
    assert.deepEqual(readDescribed({ title: ' A\nb ', what: 'w', why: 3 }), { title: 'A b', what: 'w', why: '' });
    assert.equal(readDescribed({ title: 'A', what: ' ' }), undefined);
    assert.deepEqual(describedByCommits({ commits: ['One\n\nx', 'Two'], requests: ['Do\nit'] }, 'Title'), {
      ...{ title: 'Title', what: '- One\n- Two', why: '> Do it' },
    });
  });

  it('goes where its remote is', () => {
    const host = (address: string) => {
      const remote = readRemote('origin', address);
      return remote && `${remote.host}/${remote.path} ${hostingOf(remote) ?? 'none'}`;
    };
    assert.equal(host('https://github.com/o/r.git'), 'github.com/o/r gh');
    assert.equal(host('ssh://git@github.example.com:22/o/r'), 'github.example.com/o/r gh');
    assert.equal(host('git@gitlab.com:g/s/r.git'), 'gitlab.com/g/s/r glab');
    assert.equal(host('https://notgithub.com/o/r'), 'notgithub.com/o/r none');
    for (const folder of ['/srv/r.git', '../r', 'file:///srv/r.git', 'C:\\r']) assert.equal(host(folder), undefined);
  });
});
