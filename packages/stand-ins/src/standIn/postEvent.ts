/** Tells of an event: the status that it is answered with. */
export const postEvent = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal
): Promise<number> => {
  const answer = await fetch(url, { method: "POST", redirect: "manual", headers, body, signal })
  await answer.arrayBuffer()
  return answer.status
}
