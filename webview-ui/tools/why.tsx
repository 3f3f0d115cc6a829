// Why a call was allowed, refused or asked about: the rule at once, every step of the decision as soon as the host has sent it.
import { counted } from '../../src/shared/counted';
import { useEffect, useState } from 'preact/hooks';
import {
  type CallDecision,
  checkNames,
  type DecisionTrace,
  shortFile,
  type TracedRule,
  type TraceStep,
  withShortFiles,
} from '../../src/shared/decision-trace';
import { post } from '../host/vscode-api';
import { Hidden } from '../parts/disclosure';
import { TextLink } from '../parts/file-link';
import { Icon } from '../parts/icon';
import { Visible, VisibleWords } from '../parts/visible';
import { loadTrace, traces } from '../state/call-details';
import { decisionSentence, sourceWords } from './why-words';

export interface WhyProps {
  id: string;
  toolUseId: string;
  /** Left out while the user is asked. */
  decision?: CallDecision | undefined;
}

export function Why({ id, toolUseId, decision }: WhyProps) {
  useEffect(() => void loadTrace(toolUseId), [toolUseId]);
  const answer = traces.value.get(toolUseId);
  return (
    <div class="why" id={id}>
      {decision && (
        <div class="why-decision">
          <VisibleWords text={decisionSentence(decision)} /> <DecisiveRule decision={decision} />
        </div>
      )}
      {answer === undefined && <div class="quiet">Looking at the rules …</div>}
      {answer?.trace === null && <div class="quiet">This call can no longer be traced.</div>}
      {answer?.trace && <Trace trace={answer.trace} present={answer.present} />}
    </div>
  );
}

function DecisiveRule({ decision }: { decision: CallDecision }) {
  const { rule, source, file } = decision;
  if (rule === undefined || source === undefined) return null;
  return (
    <>
      <code>
        <Visible text={rule} />
      </code>{' '}
      <RuleFile rule={rule} source={source} file={file} />
    </>
  );
}

function Trace({ trace, present }: { trace: DecisionTrace; present: boolean }) {
  const { steps, hiddenRules, otherRules } = trace;
  const [open, setOpen] = useState(false);
  const decisive = steps.filter(({ decided }) => decided);
  const others = steps.filter(({ decided }) => !decided);
  return (
    <>
      {present && <div class="quiet">By the current rules and mode; those of that time are no longer known.</div>}
      <Steps steps={decisive} label="Steps of the decision" />
      {others.length > 0 && (
        <button
          type="button"
          class="link-button"
          aria-expanded={open}
          title={open ? 'Show what decided only' : 'Show everything that was checked'}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Hide the other checks' : `${counted(others.length, 'other check', 'other checks')} …`}
        </button>
      )}
      {open && <Steps steps={others} label="Other checks" />}
      {open && hiddenRules > 0 && (
        <div class="quiet">{counted(hiddenRules, 'more rule was', 'more rules were')} checked and did not match.</div>
      )}
      {open && otherRules > 0 && (
        <div class="quiet">
          {counted(otherRules, 'rule was', 'rules were')} not checked: about another tool, or after the deciding step.
        </div>
      )}
    </>
  );
}

function Steps({ steps, label }: { steps: readonly TraceStep[]; label: string }) {
  return (
    <ol class="trace" aria-label={label}>
      {steps.map((step, index) => (
        <Step key={index} step={step} />
      ))}
    </ol>
  );
}

const outcomeIcons = { allow: 'pass', ask: 'question', deny: 'circle-slash' } as const;
const outcomeWords = { allow: 'Allowed: ', ask: 'Asks: ', deny: 'Denied: ' } as const;

function Step({ step }: { step: TraceStep }) {
  const { check, subject, outcome, decided, sentence, rules } = step;
  return (
    <li class={decided ? 'trace-step trace-decided' : 'trace-step'}>
      <Icon name={outcome === undefined ? 'circle-small' : outcomeIcons[outcome]} />
      <div class="trace-text">
        <span class="trace-check">{checkNames[check]}</span>{' '}
        {subject !== undefined && (
          <code class="trace-subject">
            <Visible text={subject} />
          </code>
        )}{' '}
        <span>
          {outcome !== undefined && <Hidden>{outcomeWords[outcome]}</Hidden>}
          <VisibleWords
            text={withShortFiles(
              sentence,
              rules.map(({ file }) => file),
            )}
          />
          {decided && <Hidden> This decided.</Hidden>}
        </span>
        {rules.length > 0 && (
          <ul class="trace-rules" aria-label="Rules">
            {rules.map((rule, index) => (
              <Rule key={index} traced={rule} />
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

function Rule({ traced }: { traced: TracedRule }) {
  const { rule, behavior, source, file, matches, why } = traced;
  return (
    <li class={matches ? 'trace-rule trace-matches' : 'trace-rule'}>
      {behavior}{' '}
      <code>
        <Visible text={rule} />
      </code>{' '}
      <RuleFile rule={rule} source={source} file={file} />:{' '}
      {matches ? 'matches' : <VisibleWords text={why ?? 'does not match'} />}
    </li>
  );
}

function RuleFile({ rule, source, file }: { rule: string; source: TracedRule['source']; file: string | undefined }) {
  if (file === undefined) return <span class="quiet">({sourceWords[source]})</span>;
  return (
    <TextLink title={`Open ${file} at the rule`} onOpen={() => post({ type: 'openRule', file, rule })}>
      {shortFile(file)}
    </TextLink>
  );
}
