// Calls of Skill: a skill's content as a message, and every way in which there is none.
import { type Skills } from '../../../src/core/skills/skills';
import { skillTool } from '../../../src/core/tools/skill';
import { toolTable } from '../../support/tool-table';

const skills: Skills = {
  list: async () => ({ skills: [], problems: [] }),
  use: async (name, args) => {
    if (name === 'plain')
      return { kind: 'content', content: [{ type: 'text', text: `<skill name="plain">\n${args}\n</skill>` }] };
    if (name === 'again') return { kind: 'known' };
    if (name === 'apart')
      return {
        kind: 'forked',
        text: `Done with ${args}.`,
        agent: { status: 'completed', agentId: 'a1', agentType: 'Explore', description: 'Skill apart' },
      };
    return { kind: 'failed', code: 'unknown-skill', message: `There is no skill ${JSON.stringify(name)}.` };
  },
};

describe('Skill, row by row', () =>
  toolTable(skillTool, [
    {
      name: 'puts the content behind the result',
      input: { skill: 'plain', args: 'a b' },
      session: { skills },
      text: 'The skill plain follows as a message.',
      check: ({ newMessages }) => {
        if (
          JSON.stringify(newMessages) !==
          JSON.stringify([{ type: 'text', text: '<skill name="plain">\na b\n</skill>' }])
        )
          throw new Error(JSON.stringify(newMessages));
      },
    },
    {
      name: 'takes a slash in front of the name',
      input: { skill: '/plain' },
      session: { skills },
      text: 'The skill plain follows as a message.',
    },
    {
      name: 'repeats nothing',
      input: { skill: 'again' },
      session: { skills },
      text: 'The skill again is already in the conversation, unchanged: follow it again.',
      detail: 'known',
    },
    {
      name: 'gives what an agent of its own said',
      input: { skill: 'apart', args: 'it' },
      session: { skills },
      text: 'Done with it.',
      detail: 'forked',
    },
    {
      name: 'knows no such skill',
      input: { skill: 'gone' },
      session: { skills },
      code: 'unknown-skill',
      text: 'There is no skill "gone".',
    },
    {
      name: 'says where there are none',
      input: { skill: 'plain' },
      code: 'no-skills',
      text: 'There are no skills here. Continue without.',
    },
    { name: 'needs a name', input: {}, session: { skills }, code: 'InputValidationError', text: /`skill`: Required/ },
  ]));
