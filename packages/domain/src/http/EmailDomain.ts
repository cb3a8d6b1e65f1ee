import { Schema, SchemaTransformation } from "effect"
import { lengths } from "./bounds.ts"
import { textUpTo } from "./Text.ts"

// Labels of letters, digits and hyphens; a name of other letters in its ASCII form.
const domain = /^(?=.{3,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/u

const refusal = "must be the domain of email addresses, such as example.com"

/** The part of email addresses after the @, trimmed and in lower case once decoded. */
export const EmailDomain = textUpTo(lengths.reference, { refusal })
  .pipe(Schema.decode(SchemaTransformation.trim()), Schema.decode(SchemaTransformation.toLowerCase()))
  .check(Schema.makeFilter((text: string) => (domain.test(text) ? undefined : refusal)))

/** Returns the domain of a decoded email. */
export const emailDomainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1)
