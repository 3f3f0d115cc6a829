// What must not outlive this process, however it exits: done without a turn of the event loop, in the 'exit' event.

const jobs = new Set<() => void>();
let listening = false;

/** Returns the function that takes the job back. A job may not throw. */
export function atExit(job: () => void): () => void {
  if (!listening) {
    listening = true;
    process.on('exit', () => {
      for (const each of jobs) each();
    });
  }
  jobs.add(job);
  return () => void jobs.delete(job);
}
