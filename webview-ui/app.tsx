// The chat's page: conversation, what waits for an answer, and the composer; or the history.
import { useEffect } from 'preact/hooks';
import { ApprovalDock } from './approvals/approval-dock';
import { stopTurn } from './approvals/dropped';
import { approvalKey, settling } from './approvals/decide';
import { Composer } from './composer/composer';
import { ContinueExternal } from './history/continue-external';
import { findKey } from './find/find-key';
import { messageKey } from './find/message-key';
import { closeHistory, History } from './history/history';
import { ServerManager } from './mcp/server-page';
import { McpRequestDock } from './mcp/request-card';
import { closeServers } from './mcp/servers';
import { Banners } from './parts/banners';
import { closeOpened } from './parts/opened';
import { LiveRegion } from './parts/live-region';
import { WaitingLine } from './parts/waiting-line';
import { closeSide, SidePanel } from './side/side-panel';
import { chat, page, working } from './state/chat';
import { QuestionDock } from './questions/question-dock';
import { Strip } from './strip/strip';
import { Transcript } from './transcript/transcript';
import { closeUsage } from './usage/usage';
import { UsagePage } from './usage/usage-page';

export function App() {
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
          {chat.facts.value.external ? <ContinueExternal /> : <Composer />}
        </div>
      </main>
      <LiveRegion />
    </div>
  );
}

function useKeys(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (findKey(event) || event.defaultPrevented || event.isComposing) return;
      if (
        approvalKey(event) ||
        messageKey(event) ||
        (event.key === 'Escape' && !event.ctrlKey && !event.metaKey && escape())
      )
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
  // A menu, a popover, what was unfolded in a card.
  if (closeOpened()) return true;
  // What lies over the composer goes first: nobody means to stop the agent by closing that.
  if (closeSide()) return true;
  if (!working.peek()) return false;
  stopTurn();
  return true;
}
