// TeamCreate, row by row.
import { teamCreateTool } from '../../../src/core/tools/teams/team-create';
import { scriptedTeam } from '../../support/scripted-team';
import { type ToolRow, toolTable } from '../../support/tool-table';

describe('TeamCreate, row by row', () => {
  const rows: ToolRow[] = [
    {
      name: 'a team',
      session: { team: scriptedTeam(true) },
      input: { team_name: 'crew', description: 'Finds it' },
      text: 'You lead the team crew. Start teammates with Agent and a `name`.',
    },
    {
      name: 'without a description',
      session: { team: scriptedTeam(true) },
      input: { team_name: 'a.b-c_1' },
      text: /a\.b-c_1/,
    },
    {
      name: 'a second one',
      session: { team: scriptedTeam() },
      input: { team_name: 'other' },
      code: 'no-team',
      text: 'A team already exists: crew.',
    },
    {
      name: 'where there are none',
      input: { team_name: 'crew' },
      code: 'no-teams',
      text: 'There are no teams here. Do the task yourself.',
    },
    {
      name: 'a name with blanks',
      session: { team: scriptedTeam(true) },
      input: { team_name: 'my crew' },
      code: 'InputValidationError',
      text: /`team_name`: Up to 64 letters/,
    },
    {
      name: 'a path for a name',
      session: { team: scriptedTeam(true) },
      input: { team_name: '../x' },
      code: 'InputValidationError',
      text: /`team_name`/,
    },
    {
      name: 'no name',
      session: { team: scriptedTeam(true) },
      input: {},
      code: 'InputValidationError',
      text: /`team_name`: Required/,
    },
  ];
  toolTable(teamCreateTool, rows);
});
