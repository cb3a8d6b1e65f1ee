import { useSuspenseQuery } from "@tanstack/react-query"
import { inMode } from "./inMode.ts"
import { sessionQuery } from "./session.ts"

/** Returns the session of the person who is signed in. Screens inside of the shell have one. */
export const useSession = () => useSuspenseQuery({ ...sessionQuery, select: inMode }).data
