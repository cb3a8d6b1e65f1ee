import { otherVersionExitCode } from "@care/service-kit/boot"
import { services } from "../provision.ts"
import type { ProcessEnd } from "./keepRunning.ts"
import type { StartSettings } from "./StartSettings.ts"
import { secretsFile } from "./secrets.ts"

/**
 * Adds a hint to the end of a process that found a database of another version. `directory` is the folder of the
 * embedded PostgreSQL.
 */
export const explainOtherVersion = (
  end: ProcessEnd,
  directory: string | undefined,
  { dataDirectory }: StartSettings
): ProcessEnd => {
  if (end.exitCode !== otherVersionExitCode) return end
  const wayOut =
    directory === undefined
      ? `drop its schemas (DROP SCHEMA ${services.join(", ")} CASCADE), or set DATABASE_URL to another database`
      : `or remove ${directory} to start over (${secretsFile(dataDirectory)} may stay)`
  return { ...end, sentence: `The database was made by another version of the suite: run that one, ${wayOut}.` }
}
