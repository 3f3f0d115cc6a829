// TeamDelete in a session that was closed with its team: teammates that ended need no stopping.
import assert from 'node:assert/strict';
import { reply, toolUse } from '../../../../support/messages-api/script';
import { createTeamHarness, makeTeam, teammate } from '../../../../support/team-harness';

describe('TeamDelete', () => {
  it('takes a team apart that another process left behind, and a new one may follow', async () => {
    const transcripts = new Map<string, string[]>();
    const first = createTeamHarness({
      lead: { Go: [reply(makeTeam()), reply(teammate('finder', 'Find it', 'a1'))] },
      agents: { 'Find it': [reply('Found.')] },
      transcripts,
    });
    await first.play('Go');
    await first.session.close();
    const second = createTeamHarness({
      lead: {
        End: [
          reply(toolUse('TeamDelete', {}, 'd1')),
          reply(makeTeam('team2')),
          reply(teammate('finder', 'Find more', 'a2')),
        ],
      },
      agents: { 'Find more': [reply('More.')] },
      transcripts,
      records: first.stored(),
    });
    await second.play('End');
    assert.deepEqual(second.model.violations, []);
    assert.match(JSON.stringify(second.stored()), /The team crew has ended\. No teammates were still running\./);
    assert.deepEqual(
      second.session.surroundings.team?.current()?.members.map(({ name, state }) => `${name} ${state}`),
      ['finder idle'],
    );
    await second.session.close();
  });
});
