// What a turn has changed and proved: one line, and a list when it is opened.
import { type LedgerItem } from '../../src/shared/chat';
import { type CheckState, type Ledger, type LedgerCheck } from '../../src/shared/ledger';
import {
  byWhom,
  checkResult,
  dueWords,
  editWords,
  ledgerLine,
  limitWords,
  missingSentence,
  refusalWords,
  whenWords,
} from '../../src/shared/ledger-words';
import { type ComponentChildren } from 'preact';
import { useOpener } from '../find/openers';
import { post } from '../host/vscode-api';
import { Button } from '../parts/button';
import { FileLink } from '../parts/file-link';
import { Icon } from '../parts/icon';
import { chat } from '../state/chat';
import { useRowState } from '../state/row-state';

export function LedgerCard({ item: { id, ledger } }: { item: LedgerItem }) {
  const [open, setOpen] = useRowState(`ledger ${id}`, false);
  useOpener([id], () => setOpen(true));
  const bodyId = `ledger-${id}`;
  const line = ledgerLine(ledger);
  return (
    <div class="ledger" role="group" aria-label="Proof of this turn">
      <button
        type="button"
        class="ledger-line"
        aria-expanded={open}
        aria-controls={open ? bodyId : undefined}
        title={`${line}\n${open ? 'Hide what proves it (Enter)' : 'Show what proves it (Enter)'}`}
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <Icon name={isDoubtful(ledger) ? 'unverified' : 'verified'} class={isDoubtful(ledger) ? 'ledger-doubt' : ''} />
        <span>{line}</span>
      </button>
      {open && (
        <ul class="ledger-rows" id={bodyId}>
          <Rows id={id} ledger={ledger} />
        </ul>
      )}
    </div>
  );
}

/** Something is claimed, failed or due: the line's picture says so, as its words do. */
function isDoubtful({ claims, checks, due, missing }: Ledger): boolean {
  return claims.length + due.length + missing.length > 0 || checks.some(({ state }) => state !== 'passed');
}

function Rows({ id, ledger }: { id: string; ledger: Ledger }) {
  const { files, checks, missing, due, refused, running, claims } = ledger;
  const [external, isIdle] = [chat.facts.value.external, chat.facts.value.status === 'idle'];
  const run = (rowId: string, label: string, what: string) =>
    external === undefined && (
      <Button
        kind="quiet"
        label={label}
        title={isIdle ? `${label}: ${what}` : 'Wait for the end of this turn'}
        disabled={!isIdle}
        onClick={() => post({ type: 'runCheck', ledgerId: id, rowId })}
      />
    );
  return (
    <>
      {files.map(({ path, edits }) => (
        <Row key={path} icon="edit">
          <FileLink path={path}>
            <bdi>{path}</bdi>
          </FileLink>
          <span class="quiet">{editWords(edits)}</span>
        </Row>
      ))}
      {checks.map((check) => (
        <Row key={check.id} icon={icons[check.state]} kind={check.state}>
          <code>{check.command}</code> <span>{checkWords(check)}</span>
          {check.repeats && run(check.id, 'Run again', check.command)}
        </Row>
      ))}
      {missing.map((one) => (
        <Row key={one.kind} icon="circle-slash">
          {missingSentence(one)}
        </Row>
      ))}
      {due.map((one) => (
        <Row key={one.id} icon="checklist">
          {dueWords(one)}
          {run(one.id, 'Run', one.run)}
        </Row>
      ))}
      {refused.map((one, index) => (
        <Row key={`refused ${index}`} icon="discard">
          {refusalWords(one)}
        </Row>
      ))}
      {running.map((one) => (
        <Row key={`running ${one.id}`} icon="sync">
          Still running: <code>{one.command}</code>
        </Row>
      ))}
      {claims.map(({ text, reason }, index) => (
        <Row key={`claim ${index}`} icon="unverified" kind="claim">
          <q>{text.replace(/\s+/g, ' ')}</q> {reason}
        </Row>
      ))}
      {limitWords(ledger).map((words) => (
        <Row key={words} icon="info">
          <span class="quiet">{words}</span>
        </Row>
      ))}
    </>
  );
}

const icons: Readonly<Record<CheckState, string>> = {
  passed: 'pass',
  failed: 'error',
  unknown: 'question',
  running: 'sync',
  stopped: 'debug-stop',
};

function checkWords(check: LedgerCheck): string {
  return `${checkResult(check)}, ${whenWords(check)}${byWhom(check)}`;
}

function Row({ icon, kind, children }: { icon: string; kind?: string; children: ComponentChildren }) {
  return (
    <li class={kind === undefined ? 'ledger-row' : `ledger-row ledger-${kind}`}>
      <Icon name={icon} />
      <div class="ledger-words">{children}</div>
    </li>
  );
}
