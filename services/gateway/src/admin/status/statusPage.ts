import { createHash } from "node:crypto"
import type { Incident } from "@care/domain/auth"
import { type State, type Status, shownDays } from "./PlatformStatus.ts"

const style = `
:root { color-scheme: light dark; --text: #16202c; --soft: #52606d; --line: #d5dce4; --page: #ffffff;
  --UP: #0b6b3a; --PARTLY: #8a5300; --DOWN: #b3261e }
@media (prefers-color-scheme: dark) { :root { --text: #e8edf2; --soft: #a9b5c1; --line: #37424e; --page: #12181f;
  --UP: #63d39b; --PARTLY: #f2b457; --DOWN: #ff8a80 } }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 40rem; margin: 0 auto; padding: 2rem 1rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem }
p { color: var(--soft); margin: 0 0 1.5rem }
ul { list-style: none; margin: 0 0 1.5rem; padding: 0; border-top: 1px solid var(--line) }
li { display: flex; justify-content: space-between; gap: 1rem; padding: .75rem 0; border-bottom: 1px solid var(--line) }
strong { white-space: nowrap }
.UP { color: var(--UP) } .PARTLY { color: var(--PARTLY) } .DOWN { color: var(--DOWN) }
a { color: inherit }
h2 { font-size: 1.125rem; margin: 2rem 0 .5rem }
h3 { font-size: 1rem; margin: 1.5rem 0 .25rem }
.news { white-space: pre-line; overflow-wrap: anywhere }
.days { display: flex; gap: 1px; height: 2rem; margin: .5rem 0 1.5rem }
.days i { flex: 1; background: currentcolor; position: relative }
.days span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
details { margin: 0 0 1.5rem }
summary { cursor: pointer }
`

/** The page may use its own style, and nothing else. */
export const statusPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const titles: Readonly<Record<State, string>> = {
  UP: "Everything works",
  PARTLY: "Some parts do not work",
  DOWN: "Nothing works at the moment"
}

const titleOf = ({ components, status }: Status): string =>
  status === "PARTLY" && components.every((component) => component.status === "UP")
    ? "There is an incident"
    : titles[status]

const words: Readonly<Record<State, string>> = { UP: "Works", PARTLY: "Partly works", DOWN: "Does not work" }

const line = (name: string, status: State): string =>
  `<li><span>${name}</span><strong class="${status}">${words[status]}</strong></li>`

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const minutes = (time: Date): string => `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`

const stateOfImpact = { DEGRADED: "PARTLY", OUTAGE: "DOWN" } as const

const itemOf = (heading: "h2" | "h3", { createdAt, impact, resolvedAt, text, title }: Incident): string => {
  const end = resolvedAt === null ? "not resolved yet" : `resolved ${minutes(resolvedAt)}`
  return `<${heading} class="${stateOfImpact[impact]}">${escaped(title)}</${heading}>
<p>${minutes(createdAt)}, ${end}</p>
<p class="news">${escaped(text)}</p>`
}

const dayMillis = 86_400_000

interface Day {
  readonly date: string
  readonly state: State
  readonly incidents: ReadonlyArray<Incident>
}

// The days that the page shows, oldest first, with what happened on each.
const daysUntil = (now: Date, incidents: ReadonlyArray<Incident>): ReadonlyArray<Day> => {
  const today = Math.floor(now.getTime() / dayMillis)
  return Array.from({ length: shownDays }, (_, index) => {
    const day = today - shownDays + 1 + index
    const there = incidents.filter(
      ({ createdAt, resolvedAt }) =>
        createdAt.getTime() < (day + 1) * dayMillis && (resolvedAt ?? now).getTime() >= day * dayMillis
    )
    const isOutage = there.some(({ impact }) => impact === "OUTAGE")
    return {
      date: new Date(day * dayMillis).toISOString().slice(0, 10),
      state: isOutage ? "DOWN" : there.length > 0 ? "PARTLY" : "UP",
      incidents: there
    }
  })
}

const labelOf = ({ date, incidents }: Day): string => {
  const titles = incidents.map(({ impact, title }) => `${escaped(title)} (${impact.toLowerCase()})`)
  return `${date}: ${titles.length === 0 ? "no incident" : titles.join(", ")}`
}

const barOf = (day: Day): string =>
  `<i class="${day.state}" role="listitem" title="${labelOf(day)}"><span>${labelOf(day)}</span></i>`

// The same in words, for those who have no pointer to see the titles of bars.
const bars = (days: ReadonlyArray<Day>): string => {
  const bad = days.filter(({ incidents }) => incidents.length > 0).toReversed()
  const lines = bad.map((day) => `<li>${labelOf(day)}</li>`).join("")
  return `<div class="days" role="list" aria-label="The last ${shownDays} days, the oldest first">${days.map(barOf).join("")}</div>
${bad.length === 0 ? "" : `<details><summary>Days with incidents: ${bad.length}</summary><ul>${lines}</ul></details>`}`
}

const isOpen = ({ resolvedAt }: Incident): boolean => resolvedAt === null

const history = ({ checkedAt, incidents }: Status): string => {
  if (incidents === null) return "<p>The incidents cannot be read at the moment.</p>"
  const past = incidents.filter((incident) => !isOpen(incident))
  const list =
    incidents.length === 0 ? "<p>No incidents.</p>" : past.map((incident) => itemOf("h3", incident)).join("\n")
  return `${bars(daysUntil(checkedAt, incidents))}\n${list}`
}

/** Returns the page for a status. */
export const statusPage = (found: Status): string => {
  const { checkedAt, components, incidents, status } = found
  const title = titleOf(found)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Partner Care API</title>
<style>${style}</style>
</head>
<body>
<main>
<h1 class="${status}">${title}</h1>
<p>Partner Care API, as of <time datetime="${checkedAt.toISOString()}">${checkedAt.toISOString().slice(0, 19).replace("T", " ")} UTC</time></p>
${(incidents ?? [])
  .filter(isOpen)
  .map((incident) => itemOf("h2", incident))
  .join("\n")}
<ul>
${[line("API", "UP"), ...components.map((component) => line(component.name, component.status))].join("\n")}
</ul>
<h2>The last ${shownDays} days</h2>
${history(found)}
<p><a href="/docs">Documentation</a> · <a href="/status.json">The same as JSON</a></p>
</main>
</body>
</html>
`
}
