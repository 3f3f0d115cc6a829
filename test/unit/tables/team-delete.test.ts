// TeamDelete, row by row.
import { teamDeleteTool } from '../../../src/core/tools/teams/team-delete';
import { scriptedTeam } from '../../support/scripted-team';
import { type ToolRow, toolTable } from '../../support/tool-table';

function emptyTeam(): ReturnType<typeof scriptedTeam> {
  const team = scriptedTeam(true);
  team.create('empty');
  return team;
}

describe('TeamDelete, row by row', () => {
  const rows: ToolRow[] = [
    {
      name: 'with one that is idle',
      session: { team: scriptedTeam() },
      input: {},
      text: 'The team crew has ended. Stopped: finder (was idle, 2 messages unread). Their tasks stay open:\n#1 Build (pending, owner finder)',
      detail: 'crew',
    },
    {
      name: 'with nobody',
      session: { team: emptyTeam() },
      input: {},
      text: 'The team empty has ended. No teammates were still running.',
    },
    {
      name: 'without a team',
      session: { team: scriptedTeam(true) },
      input: {},
      code: 'no-team',
      text: 'There is no team. Nothing was changed.',
    },
    {
      name: 'where there are none',
      input: {},
      code: 'no-teams',
      text: 'There are no teams here. Do the task yourself.',
    },
  ];
  toolTable(teamDeleteTool, rows);
});
