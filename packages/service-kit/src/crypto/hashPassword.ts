import { hash } from "@node-rs/argon2"
import { Effect } from "effect"

/** Returns the Argon2id hash of a password, with parameters and salt. Passwords are stored in no other form. */
export const hashPassword = (password: string): Effect.Effect<string> => Effect.promise(() => hash(password))
