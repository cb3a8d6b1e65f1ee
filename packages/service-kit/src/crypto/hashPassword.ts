import { hash } from "@node-rs/argon2"
import { Effect } from "effect"

/** The Argon2id hash of a password, with its parameters and salt: the only form in which a password is kept. */
export const hashPassword = (password: string): Effect.Effect<string> => Effect.promise(() => hash(password))
