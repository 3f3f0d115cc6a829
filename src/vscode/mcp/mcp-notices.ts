// What the chat says of servers by itself: those of a project that wait for the user, and files that cannot be read.
import { type McpServerStatus } from '../../core/ports/mcp';
import { visible } from '../../core/settings/grant-text';
import { type NoticeItem } from '../../shared/chat';
import { shortened } from '../../shared/cut-text';

const shownNames = 6;
const shownProblems = 4;

export function mcpNotices(
  servers: readonly McpServerStatus[],
  problems: readonly string[],
  trusted: boolean,
): NoticeItem[] {
  const waiting = servers
    .filter(({ state }) => state.kind === 'unapproved')
    .map(({ entry }) => shortened(visible(entry.name), 60));
  const notices: NoticeItem[] = [];
  // Restricted Mode has a banner of its own.
  if (waiting.length > 0 && trusted) {
    const more = waiting.length - shownNames;
    notices.push({
      kind: 'notice',
      id: 'mcp:waiting',
      level: 'info',
      title:
        waiting.length === 1
          ? 'This project names an MCP server.'
          : `This project names ${waiting.length} MCP servers.`,
      detail: `Not started until you approve: ${waiting.slice(0, shownNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
      action: { label: 'Review', command: 'manageMcpServers' },
    });
  }
  if (problems.length > 0) {
    const more = problems.length - shownProblems;
    notices.push({
      kind: 'notice',
      id: 'mcp:problems',
      level: 'warning',
      title: 'An MCP configuration file has something that is ignored.',
      detail: [...problems.slice(0, shownProblems), ...(more > 0 ? [`${more} more.`] : [])].join('\n'),
      action: { label: 'Show servers', command: 'manageMcpServers' },
    });
  }
  return notices;
}
