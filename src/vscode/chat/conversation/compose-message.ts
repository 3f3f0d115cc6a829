// Composes a chat's message for its session; a server that does not report what the message mentions delays it only for a limited time.
import { type AgentSession } from '../../../core/feature/agent-session';
import { type Prompt } from '../../../core/events/steering-queue';
import { messageOf } from '../../../core/text/errors';
import { type McpPeople } from '../../../core/ports/mcp';
import { composePrompt, type PromptInput } from '../../../core/prompt/compose-prompt';
import { changesMention, problemsMention, terminalMention, testMention } from '../../../shared/mention-text';
import { type ReadMentioned } from '../../../core/prompt/resource-mentions';
import { type ChatServices } from './chat-needs';
import { lastRun } from '../../../core/tools/tests/last-run';
import { subagents } from '../../../core/features/subagents/subagents-key';

const resourceMs = 30_000;

/** Language servers that take longer are not waited for. */
const problemsMs = 15_000;

type Named = Record<string, () => Promise<string>>;

function namedAttachments(
  { ports: { problems, git }, surroundings, settings }: AgentSession,
  { terminalText }: Pick<ChatServices, 'terminalText'>,
): Named {
  const { cwd, isHidden } = surroundings;
  const secrets = settings.secrets?.() ?? [];
  return {
    ...(problems !== undefined && {
      [problemsMention]: async () => {
        const { mentionedProblems } = await import('../../../core/tools/problems/problems-mention');
        return mentionedProblems(problems, cwd, isHidden, AbortSignal.timeout(problemsMs)).catch(
          (error: unknown) => `The problems could not be looked at: ${messageOf(error)}`,
        );
      },
    }),
    ...(git !== undefined && {
      [changesMention]: async () => {
        const { mentionedChanges } = await import('../../../core/prompt/changes-mention');
        return mentionedChanges(git, cwd, isHidden, secrets);
      },
    }),
    [terminalMention]: () => terminalText(secrets),
  };
}

/** Before any run there is nothing that could stand in the way of a folder of that name. */
function testAttachment({ id }: AgentSession): { first: Named; last: Named } {
  const named: Named = {
    [testMention]: async () => {
      const { mentionedTests } = await import('../../../core/tools/tests/tests-mention');
      return mentionedTests(id);
    },
  };
  return lastRun(id) === undefined ? { first: {}, last: named } : { first: named, last: {} };
}

export async function composeMessage(
  input: PromptInput,
  session: AgentSession,
  services: Pick<ChatServices, 'clock' | 'folders' | 'servers' | 'terminalText' | 'symbolText'>,
  people: McpPeople,
): Promise<Prompt> {
  const { cwd, isHidden, readState } = session.surroundings;
  const readResource: ReadMentioned = async ({ server, uri }) => {
    const mcp = services.servers(people);
    if (!mcp.list().some(({ entry }) => entry.name === server)) return undefined;
    const over = new AbortController();
    const failed = (why: string) => ({
      outcome: 'failed' as const,
      message: `The MCP server ${server} was asked for ${uri}, and ${why} Call ReadMcpResource for it where it matters.`,
    });
    const late = services.clock
      .sleep(resourceMs, over.signal)
      .then(() => failed(`did not answer within ${resourceMs / 1_000} seconds.`));
    try {
      return await Promise.race([mcp.readResource(server, uri, over.signal), late]);
    } catch (error) {
      return failed(`did not answer: ${messageOf(error)}`);
    } finally {
      over.abort();
    }
  };
  const tests = testAttachment(session);
  return composePrompt(input, {
    readResource,
    agents: async () => (await session.feature(subagents)?.names()) ?? [],
    named: { ...namedAttachments(session, services), ...tests.last },
    symbol: (name) => services.symbolText(name, isHidden),
    namedFirst: tests.first,
    files: session.ports.files,
    cwd,
    folders: services.folders(),
    isHidden,
    readState,
    secrets: session.settings.secrets?.() ?? [],
  });
}
