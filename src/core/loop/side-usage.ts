// Counts the tokens of a job outside the conversation: they count towards the session's cost.
import { defined } from '../../shared/defined';
import { type RecordWriter } from '../events/record-writer';
import { type Ports } from '../ports/ports';
import { type Usage } from '../wire/wire';
import { type PriceFacts, priceFacts } from './reply-facts';

/** `whom`: for which job, or for which agent. */
export function countSideUsage(
  { writer, ports }: { writer: RecordWriter; ports: Pick<Ports, 'model'> },
  model: string,
  usage: Usage,
  whom?: string,
  facts: PriceFacts = priceFacts(model, ports.model),
): void {
  writer.write({ type: 'system', subtype: 'side_usage', model, usage, ...defined({ whom }), ...facts });
}
