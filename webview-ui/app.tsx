// The chat's page: conversation, what waits for an answer, and the composer; or the history.
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { ApprovalDock } from './approvals/approval-dock';
import { approvalKey, settling, takeDecisionBack } from './approvals/decide';
import { Composer } from './composer/composer';
import { focusComposer, imagesKept, insertIntoComposer, writeAnew } from './state/draft';
import { takenBack } from './composer/take-back';
import { ContinueForeign } from './history/continue-external';
import { findKey } from './find/find-key';
import { takeFound } from './find/find';
import { closeHistory, History } from './history/history';
import { post } from './host/vscode-api';
import { ServerManager } from './mcp/server-page';
import { McpRequestDock } from './mcp/request-card';
import { closeServers, takeAdded, takeServers } from './mcp/servers';
import { Banners } from './parts/banners';
import { LiveRegion } from './parts/live-region';
import { WaitingLine } from './parts/waiting-line';
import { playEndSound } from './parts/sound';
import { closeSide, SidePanel } from './side/side-panel';
import { chat, page, received, working } from './state/chat';
import { QuestionDock } from './questions/question-dock';
import { Strip } from './strip/strip';
import { Transcript } from './transcript/transcript';
import { closeUsage, openUsage, takeUsage } from './usage/usage';
import { UsagePage } from './usage/usage-page';

export function App() {
  useHostWishes();
  useKeys();
  return (
    <div class="app">
      <WaitingLine />
      {page.value === 'history' && <History />}
      {page.value === 'servers' && <ServerManager />}
      {page.value === 'usage' && <UsagePage />}
      <main class="conversation" hidden={page.value !== 'conversation'}>
        <h1 class="visually-hidden">{chat.facts.value.title || 'New session'}</h1>
        <Banners />
        <Transcript />
        <div class="dock">
          <Strip />
          <ApprovalDock />
          <QuestionDock />
          <McpRequestDock />
          <SidePanel />
          {chat.facts.value.foreign ? <ContinueForeign /> : <Composer />}
        </div>
      </main>
      <LiveRegion />
    </div>
  );
}

/** What the host asks the page to do. */
function useHostWishes(): void {
  // Before the page says that it is ready: what the host posts then is heard.
  useLayoutEffect(
    () =>
      received.listen((message) => {
        switch (message.type) {
          case 'insert':
            page.value = 'conversation';
            return void requestAnimationFrame(() => insertIntoComposer(message.text));
          case 'focus':
            page.value = 'conversation';
            return void requestAnimationFrame(focusComposer);
          case 'showHistory':
            page.value = 'history';
            return;
          case 'showMcp':
            page.value = 'servers';
            return;
          case 'showUsage':
            return openUsage(message.part);
          case 'usage':
            return takeUsage(message);
          case 'mcpChanged':
            if (page.peek() === 'servers') post({ type: 'listMcp' });
            return;
          case 'mcpServers':
            return takeServers(message);
          case 'mcpAdded':
            return takeAdded(message.problem);
          case 'ended':
            if (page.peek() === 'usage') post({ type: 'usage', count: false });
            if (message.notify && received.surroundings.peek().sound) playEndSound();
            return;
          case 'unqueued':
            return takenBack(message);
          case 'keptImages':
            return imagesKept(message);
          case 'writeAnew':
            page.value = 'conversation';
            return void requestAnimationFrame(() => writeAnew(message));
          case 'refused':
            return takeDecisionBack(message.id);
          case 'showBackground':
            page.value = 'conversation';
            return;
          case 'found':
            return takeFound(message);
          case 'backgroundLines':
          case 'mentions':
          case 'slashCommands':
            return;
        }
      }),
    [],
  );
}

function useKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (findKey(event) || event.defaultPrevented || event.isComposing) return;
      if (approvalKey(event) || (event.key === 'Escape' && !event.ctrlKey && !event.metaKey && escape()))
        event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

function escape(): boolean {
  if (page.peek() === 'history') {
    closeHistory();
    return true;
  }
  if (page.peek() === 'servers') {
    closeServers();
    return true;
  }
  if (page.peek() === 'usage') {
    closeUsage();
    return true;
  }
  // A second press within the moment after an answer was meant for the same card.
  if (settling.peek()) return true;
  // What lies over the composer goes first: nobody means to stop the agent by closing that.
  if (closeSide()) return true;
  if (!working.peek()) return false;
  post({ type: 'stop' });
  return true;
}
