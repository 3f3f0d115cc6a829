// A desktop VS Code, downloaded once by @vscode/test-electron and kept below out/.
import path from 'node:path';
import { downloadAndUnzipVSCode, ProgressReportStage } from '@vscode/test-electron';
import { RigError } from './rig-error';

const FIRST_BYTE_MILLISECONDS = 10_000;

/** The path of its program. Throws a sentence when nothing has arrived within 10 s. */
export async function downloadVscode(): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  let arrived = (): void => undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new RigError(
            'VS Code could not be downloaded: nothing arrived within 10 s. Is there a way to the internet from here?',
          ),
        ),
      FIRST_BYTE_MILLISECONDS,
    );
    arrived = () => clearTimeout(timer);
  });
  const download = downloadAndUnzipVSCode({
    cachePath: path.resolve('out/vscode'),
    timeout: FIRST_BYTE_MILLISECONDS,
    reporter: {
      report(progress) {
        if (progress.stage === ProgressReportStage.FoundMatchingInstall) arrived();
        if (progress.stage === ProgressReportStage.Downloading && progress.bytesSoFar > 0) arrived();
        if (progress.stage === ProgressReportStage.Downloading && progress.bytesSoFar === 0)
          console.log(`Downloading VS Code from ${progress.url} …`);
      },
      error() {
        // The promise is rejected with it.
      },
    },
  });
  // When the silence wins, a later failure of the download is of no interest.
  download.catch(() => undefined);
  try {
    return await Promise.race([download, silence]);
  } catch (error) {
    if (error instanceof RigError) throw error;
    throw new RigError(`VS Code could not be downloaded: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    clearTimeout(timer);
  }
}

/** What every desktop VS Code of ours is started with: an own profile, no first-run pages, every folder trusted. */
export function launchArguments(userData: string, extensions: string, workspaceTrust = false): string[] {
  return [
    `--user-data-dir=${userData}`,
    `--extensions-dir=${extensions}`,
    '--new-window',
    '--disable-updates',
    '--skip-welcome',
    '--skip-release-notes',
    '--disable-telemetry',
    ...(workspaceTrust ? [] : ['--disable-workspace-trust']),
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}
