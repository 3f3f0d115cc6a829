// All that a command printed, also where the result shows it in part.
import { type CommandResult } from '../../ports/terminal';
import { type ToolContext } from '../../tool/tool';

const maxOutput = 64 * 1024 * 1024;

export async function wholeOutput(
  result: Pick<CommandResult, 'output' | 'omittedBytes' | 'outputPath'>,
  { ports }: { ports: Pick<ToolContext['ports'], 'files'> },
): Promise<string> {
  if (result.omittedBytes === 0 || result.outputPath === '') return result.output;
  const read = await ports.files.readBytes(result.outputPath, maxOutput);
  return read.outcome === 'read' ? new TextDecoder().decode(read.bytes) : result.output;
}
