// What the strict scripted API would refuse about a history that continues with a prompt.
import { capabilitiesOf } from '../../src/core/model/capabilities';
import { buildRequest } from '../../src/core/loop/build-request';
import { type SessionRecord } from '../../src/core/ports/record';
import { refuseBody } from './messages-api/validate-request';

/** Empty where it is accepted. */
export function violationsOf(records: readonly SessionRecord[]): readonly unknown[] {
  const envelope = { uuid: 'next', parentUuid: null, timestamp: '', sessionId: 's', cwd: '/w', version: '1' };
  const next: SessionRecord = {
    ...envelope,
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
  };
  const request = buildRequest([...records, next], {
    model: 'claude-opus-5',
    can: capabilitiesOf('anthropic', 'claude-opus-5'),
    system: ['s'],
    tools: [],
    maxOutputTokens: 1_000,
    sessionId: 's',
  });
  return refuseBody(request, { 'anthropic-version': '2023-06-01' }, [], {}, false)?.violations ?? [];
}
