// The agents that come with Deft.
import { type AgentDefinition } from './agent-definition';
import explorePrompt from './explore.md';
import generalPrompt from './general-purpose.md';
import planPrompt from './plan.md';

/** They look, and nothing else. */
const changing = ['Edit', 'Write', 'NotebookEdit', 'Refactor', 'Debug', 'RunCells', 'REPL', 'Agent', 'ExitPlanMode'];

export const builtInAgents: readonly AgentDefinition[] = [
  {
    name: 'general-purpose',
    description:
      'A multi-step task that needs searching, changing files and running things, when its steps need not be in your context.',
    prompt: generalPrompt.trim(),
    source: 'builtIn',
  },
  {
    name: 'Explore',
    description:
      'Finds things in the code: files by pattern, uses of a name, how something works. Read-only. Say how thorough it should be.',
    prompt: explorePrompt.trim(),
    source: 'builtIn',
    disallowedTools: changing,
    permissionMode: 'plan',
    builtIn: { bare: true, small: true },
  },
  {
    name: 'Plan',
    description: 'Explores the code and returns a plan for a change: steps, files, what to watch for. Read-only.',
    prompt: planPrompt.trim(),
    source: 'builtIn',
    disallowedTools: changing,
    permissionMode: 'plan',
  },
];

/** What the Agent tool starts where it is given no name. */
export const defaultAgent = 'general-purpose';
