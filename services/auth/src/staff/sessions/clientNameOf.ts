type Names = ReadonlyArray<readonly [pattern: RegExp, name: string]>

// A browser also names those that it descends from, so the first pattern that matches is right.
const programs: Names = [
  [/^care\b/, "care login"],
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/(Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bVersion\/\S+ .*Safari\//, "Safari"]
]

const systems: Names = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\b(Windows|win32)\b/, "Windows"],
  [/\b(Macintosh|darwin)\b/, "macOS"],
  [/\b(Linux|linux)\b/, "Linux"]
]

const maxLength = 1000

/** Returns the program and the system of a `User-Agent` in words, such as "Firefox on Windows", or null for one that is unknown. */
export const clientNameOf = (userAgent: string): string | null => {
  const text = userAgent.slice(0, maxLength)
  const nameIn = (names: Names) => names.find(([pattern]) => pattern.test(text))?.[1]
  const [program, system] = [nameIn(programs), nameIn(systems)]
  if (program === undefined) return system ?? null
  return system === undefined ? program : `${program} on ${system}`
}
