import { Schema } from "effect"

/** A sign-in of a device: it asks with `deviceCode` every `interval` seconds, until a person has approved `userCode` at `verificationUri`. */
export const DeviceSignIn = Schema.Struct({
  deviceCode: Schema.String,
  userCode: Schema.String,
  verificationUri: Schema.String,
  expiresIn: Schema.Natural,
  interval: Schema.Natural
}).annotate({ identifier: "DeviceSignIn" })
export type DeviceSignIn = typeof DeviceSignIn.Type

/** No person has approved or denied the sign-in yet. */
export class DevicePending extends Schema.TaggedError<DevicePending>()("DevicePending", {}) {}

/** The device asked before its interval was over. */
export class DeviceTooFast extends Schema.TaggedError<DeviceTooFast>()("DeviceTooFast", {
  retryAfter: Schema.Natural
}) {}

/** A person has denied the sign-in. */
export class DeviceDenied extends Schema.TaggedError<DeviceDenied>()("DeviceDenied", {}) {}

/** The code is unknown, expired, or has been used. */
export class DeviceCodeUnknown extends Schema.TaggedError<DeviceCodeUnknown>()("DeviceCodeUnknown", {}) {}
