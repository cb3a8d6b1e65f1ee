import type { StaffSession } from "@care/domain/auth"

/** Says where a session is: its browser and system, or the command line. */
export const nameOfSession = ({ client, kind }: StaffSession): string =>
  client ?? (kind === "CLI" ? "Command line" : "A browser")
