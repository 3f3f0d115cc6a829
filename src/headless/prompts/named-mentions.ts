// What has a name of its own behind "@" in a run: what there is of it without an editor, and otherwise that there is none.
import { type AgentSession } from '../../core/feature/agent-session';
import { mentionedChanges } from '../../core/prompt/changes-mention';
import { type PromptSurroundings } from '../../core/prompt/compose-prompt';
import { mentionedLook } from '../../core/tools/problems/problems-mention';
import { lastRun } from '../../core/tools/tests/last-run';
import { mentionedTests } from '../../core/tools/tests/tests-mention';
import {
  changesMention,
  problemsMention,
  symbolMention,
  terminalMention,
  testMention,
} from '../../shared/mention-text';

/** `warn` tells the user too: the model may not. */
export function namedMentions(
  { id, ports, surroundings, settings }: AgentSession,
  warn: (sentence: string) => void,
): Pick<PromptSurroundings, 'named' | 'namedFirst' | 'symbol'> {
  const { git, checks } = ports;
  const { cwd, isHidden } = surroundings;
  const secrets = settings.secrets?.() ?? [];
  const absent = (mention: string, what: string): string => {
    const sentence = `@${mention} needs VS Code: a headless run has no ${what}.`;
    warn(sentence);
    return sentence;
  };
  const tests = { [testMention]: async () => mentionedTests(id) };
  return {
    named: {
      [problemsMention]: async () => {
        const text = mentionedLook(id, ports);
        if (checks === undefined) warn(`@${problemsMention}: ${text}`);
        return text;
      },
      ...(git !== undefined && { [changesMention]: () => mentionedChanges(git, cwd, isHidden, secrets) }),
      [terminalMention]: async () => absent(terminalMention, 'terminal that is looked at'),
      ...(lastRun(id) === undefined ? tests : {}),
    },
    // Before any run there is nothing that could stand in the way of a folder of that name.
    namedFirst: lastRun(id) === undefined ? {} : tests,
    symbol: async (name) => absent(`${symbolMention}${name}`, 'language servers'),
  };
}
