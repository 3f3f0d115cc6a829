// A tool call as a card: one line that says what happened, and what it shows when opened.
import { useEffect, useState } from 'preact/hooks';
import { type ToolItem, type Writing } from '../../src/shared/chat';
import { type ToolView } from '../../src/shared/tool-view';
import { viewKind } from '../../src/shared/view-kinds';
import { linesWritten } from '../../src/shared/writing';
import { useOpener } from '../find/openers';
import { post } from '../host/vscode-api';
import { IconButton } from '../parts/button';
import { Hidden, Twistie, useDisclosure } from '../parts/disclosure';
import { TextLink } from '../parts/file-link';
import { Icon } from '../parts/icon';
import { announce } from '../state/announce';
import { now } from '../state/now';
import { useRowState } from '../state/row-state';
import { splitAtPath } from './path-name';
import { ReviewButtons } from './review-buttons';
import { commandStateText, durationText, stateWord, toolIcon, toolSentence } from './tool-words';
import { ViewBody, viewFile } from './view-body';
import { Why } from './why';
import { whyQuestion } from './why-words';
import { WritingBody } from './writing-view';

/** Shorter calls took no time that anyone noticed. */
const WORTH_SHOWING_MS = 50;

export function ToolCard({ tool }: { tool: ToolItem }) {
  const sentence = toolSentence(tool);
  const [open, toggle] = useDisclosure(tool.id, opensItself(tool));
  const [asked, setAsked] = useRowState(`why ${tool.id}`, false);
  const whyId = `why-${tool.id}`;
  const bodyId = `body-${tool.id}`;
  const hasBody = tool.message !== undefined || filledView(tool) !== undefined;
  useOpener([tool.id], () => hasBody && !open && toggle());
  const icon = toolIcon(tool);
  const isCommand = tool.view?.kind === 'terminal';
  useAnnouncedEnd(tool, sentence);
  useAnnouncedWriting(tool, sentence);
  return (
    <div class={`tool tool-${tool.state}`} role="group" aria-label={sentence}>
      <div class="tool-line">
        {hasBody ? (
          <Twistie open={open} onToggle={toggle} label={`Details of ${sentence}`} controls={bodyId} />
        ) : (
          <span class="twistie-space" />
        )}
        <Icon name={icon.name} spin={icon.spin ?? false} class="tool-icon" />
        <span class="tool-text">
          {tool.color && <span class={`agent-dot agent-${tool.color}`} aria-hidden="true" />}
          <span
            class={isCommand ? 'tool-sentence tool-command' : 'tool-sentence'}
            title={isCommand ? sentence : undefined}
          >
            <Sentence tool={tool} sentence={sentence} />
          </span>
          <Hidden>, {stateWord(tool)}</Hidden>
          <Detail tool={tool} />
        </span>
        <ToolEnd tool={tool} asked={asked} whyId={whyId} onAsk={() => setAsked(!asked)} />
      </div>
      {asked && tool.decision && <Why id={whyId} toolUseId={tool.id} decision={tool.decision} />}
      {tool.writing && !isUnwritten(tool.writing) && (
        <div class="tool-body">
          <WritingBody writing={tool.writing} label={sentence} />
        </div>
      )}
      {open && hasBody && <ToolBody id={bodyId} tool={tool} sentence={sentence} />}
    </div>
  );
}

/** What is at the end of its line: what can be asked and done, and how long it took. */
function ToolEnd({ tool, asked, whyId, onAsk }: { tool: ToolItem; asked: boolean; whyId: string; onAsk: () => void }) {
  return (
    <span class="tool-end">
      {tool.decision && (
        <WhyButton question={whyQuestion(tool.decision)} open={asked} controls={whyId} onToggle={onAsk} />
      )}
      {tool.view?.kind === 'diff' && tool.state === 'done' && <ReviewButtons path={tool.view.path} />}
      <Duration tool={tool} />
      <RunningButtons tool={tool} />
    </span>
  );
}

function ToolBody({ id, tool, sentence }: { id: string; tool: ToolItem; sentence: string }) {
  const view = filledView(tool);
  return (
    <div class="tool-body" id={id}>
      <Message tool={tool} />
      {view && <ViewBody view={view} toolUseId={tool.id} sentence={sentence} />}
    </div>
  );
}

/** In a sentence what happened, and on demand what the model is told of it. */
function Message({ tool: { id, message, said } }: { tool: ToolItem }) {
  const [open, setOpen] = useRowState(`told ${id}`, false);
  useOpener([id], () => setOpen(true));
  if (message === undefined) return null;
  if (said === undefined || said === message) return <div class="tool-message">{said ?? message}</div>;
  const toldId = `told-${id}`;
  return (
    <>
      <div class="tool-message">
        {said}{' '}
        <button
          type="button"
          class="link-button"
          aria-expanded={open}
          aria-controls={open ? toldId : undefined}
          title={open ? 'Hide what the agent is told' : 'Show what the agent is told'}
          onClick={() => setOpen(!open)}
        >
          Details
        </button>
      </div>
      {open && (
        <div class="tool-message tool-told" id={toldId}>
          {message}
        </div>
      )}
    </>
  );
}

/** Comes out where the pointer or the focus is: nobody asks it of every card. */
function WhyButton({
  question,
  open,
  controls,
  onToggle,
}: {
  question: string;
  open: boolean;
  controls: string;
  onToggle: () => void;
}) {
  return (
    <button
      type="button"
      class="icon-button why-button"
      aria-expanded={open}
      aria-controls={open ? controls : undefined}
      aria-label={question}
      title={question}
      onClick={onToggle}
    >
      <Icon name="question" />
    </button>
  );
}

/** The name of a file in the sentence opens the file, or the real diff where there is one. */
function Sentence({ tool, sentence }: { tool: ToolItem; sentence: string }) {
  const file = viewFile(tool.view);
  const parts = file && splitAtPath(sentence, file.path);
  if (!file || !parts) return <>{sentence}</>;
  // What was not done has no diff, and that of a proposal is opened while it waits.
  const isDiff = tool.view?.kind === 'diff' && (tool.state === 'done' || tool.state === 'waiting');
  const open = () =>
    post(isDiff ? { type: 'openDiff', path: file.path, toolUseId: tool.id } : { type: 'openFile', ...file });
  return (
    <>
      {parts[0]}
      <TextLink
        title={isDiff && !isNotebook(file.path) ? `Open the diff of ${file.path}` : `Open ${file.path}`}
        onOpen={open}
      >
        {parts[1]}
      </TextLink>
      {parts[2]}
    </>
  );
}

function Detail({ tool }: { tool: ToolItem }) {
  if (tool.state === 'denied' || tool.state === 'stopped') return <span class="tool-detail">{stateWord(tool)}</span>;
  if (tool.writing && !isUnwritten(tool.writing))
    return <span class="tool-detail tool-lines">{linesText(linesWritten(tool.writing))}</span>;
  const view = tool.view;
  const outcome = view?.kind === 'terminal' ? commandStateText(view) : '';
  const detail = tool.detail === '' ? outcome : tool.detail;
  if (view?.kind === 'diff' && (tool.state === 'done' || tool.state === 'waiting'))
    return <DiffDetail tool={tool} added={view.added} removed={view.removed} />;
  if (detail !== '') return <span class="tool-detail">{detail}</span>;
  return tool.state === 'failed' ? <span class="tool-detail">failed</span> : null;
}

function DiffDetail({ tool, added, removed }: { tool: ToolItem; added: number; removed: number }) {
  const repeats = /^\+\d+ [-−]\d+$/.test(tool.detail);
  return (
    <span class="tool-detail">
      <span class="diff-count">
        <span class="added">+{added}</span> <span class="removed">−{removed}</span>
      </span>
      {!repeats && tool.detail !== '' && ` ${tool.detail}`}
    </span>
  );
}

/** Commands and agents that are waited for. */
function RunningButtons({ tool }: { tool: ToolItem }) {
  if (tool.state !== 'running') return null;
  const what = tool.view?.kind === 'terminal' ? 'command' : tool.name === 'Agent' ? 'agent' : undefined;
  if (what === undefined) return null;
  const toolUseId = tool.id;
  const command = tool.view?.kind === 'terminal' ? tool.view.command : tool.sentence.now;
  return (
    <>
      <button
        type="button"
        class="icon-button move-button"
        title={`Move to background: the ${what} and Deft both continue`}
        aria-label={`Move to background: ${command}`}
        onClick={() => post({ type: 'moveToBackground', toolUseId })}
      >
        <Icon name="run-below" />
        <span class="move-label">Move to background</span>
      </button>
      <IconButton
        icon="debug-stop"
        label={`Stop ${command}`}
        title="Stop (Esc)"
        onClick={() => post({ type: 'stop' })}
      />
    </>
  );
}

/** Counts up while it runs, from the second on: most calls are over before. */
function Duration({ tool }: { tool: ToolItem }) {
  if (tool.durationMs !== undefined && tool.durationMs < WORTH_SHOWING_MS) return null;
  if (tool.durationMs !== undefined) return <span class="tool-duration">{durationText(tool.durationMs)}</span>;
  if (tool.state !== 'running' || tool.startedAt === undefined) return null;
  const elapsed = now.value - tool.startedAt;
  return elapsed < 1_000 ? null : (
    <span class="tool-duration">
      {Math.floor(elapsed / 1_000) < 60 ? `${Math.floor(elapsed / 1_000)}s` : durationText(elapsed)}
    </span>
  );
}

/** Undefined where there is nothing to show. */
function filledView({ view }: ToolItem): ToolView | undefined {
  return view === undefined || viewKind(view).isEmpty(view) ? undefined : view;
}

function opensItself(tool: ToolItem): boolean {
  if (tool.message !== undefined && tool.state === 'failed') return true;
  // A rule or a hook said no: why is news. What the user rejected themselves they know.
  if (tool.state === 'denied' && tool.message?.startsWith('Permission denied:') === true) return true;
  return tool.view !== undefined && viewOpensItself(tool.view, tool.state);
}

function viewOpensItself(view: ToolView, state: ToolItem['state']): boolean {
  switch (view.kind) {
    case 'diff':
    case 'changes':
    case 'picture':
      return state === 'done';
    case 'terminal':
      return state === 'running' || state === 'failed';
    case 'tests':
      return state === 'running' || view.items.length > 0;
    case 'report':
      // Problems that a task has found are what it was run for.
      return view.about === 'task' && view.places.length > 0;
    case 'todo':
      return view.step !== true;
    default:
      return false;
  }
}

/** VS Code shows its cells, not their text. */
function isNotebook(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

function isUnwritten({ removed, added }: Writing): boolean {
  return removed === '' && added === '';
}

function linesText(lines: number): string {
  return lines === 1 ? '1 line' : `${lines} lines`;
}

/** Once, when it is known what is written: the lines themselves would be read for minutes. */
function useAnnouncedWriting(tool: ToolItem, sentence: string): void {
  const writes = tool.writing !== undefined;
  useEffect(() => {
    if (writes) announce(sentence);
  }, [writes]);
}

function useAnnouncedEnd(tool: ToolItem, sentence: string): void {
  const [state, setState] = useState(tool.state);
  useEffect(() => {
    if (state === tool.state) return;
    setState(tool.state);
    if (tool.state !== 'running') announce(tool.state === 'done' ? sentence : `${sentence}: ${stateWord(tool)}`);
  }, [state, tool.state, sentence]);
}
