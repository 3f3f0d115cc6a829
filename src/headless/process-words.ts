// Processes in sentences for standard error.

export function listedProcesses(processes: readonly { pid: number; command: string }[]): string {
  return processes.map(({ pid, command }) => `${pid} (${command})`).join(', ');
}
