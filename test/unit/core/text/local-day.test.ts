// The day that is sent to the model is that of the user's clock, east and west of Greenwich.
import assert from 'node:assert/strict';
import { localDay } from '../../../../src/core/text/local-day';
import { describeEnvironment } from '../../../../src/headless/where';

describe('the day of today', () => {
  const zone = process.env['TZ'];
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  const cases: [string, string, string][] = [
    ['Pacific/Kiritimati', '2026-03-04T23:30:00Z', '2026-03-05'],
    ['America/Los_Angeles', '2026-01-01T02:00:00Z', '2025-12-31'],
    ['UTC', '2026-03-04T23:30:00Z', '2026-03-04'],
  ];
  for (const [place, time, day] of cases) {
    it(`is ${day} in ${place} at ${time}`, () => {
      process.env['TZ'] = place;
      assert.equal(localDay(new Date(time)), day);
    });
  }

  it('is the one that a headless run tells', () => {
    // 26 hours lie between the two: at any moment they have different days.
    const days = ['Pacific/Kiritimati', 'Etc/GMT+12'].map((place) => {
      process.env['TZ'] = place;
      return describeEnvironment('/w', [], undefined).date;
    });
    assert.notEqual(days[0], days[1]);
  });
});
