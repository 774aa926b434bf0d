// An agent that calls a tool of an MCP server. Its rules name the tool, and how much of it may be used.
agent.on('message', async (message) => {
  try {
    const result = await tool('notes/add', { note: message.text() });
    return result.isError ? result.content[0].text : `There are ${result.structuredContent.result} notes.`;
  } catch (error) {
    return error.message; // the call was denied, or the server did not answer
  }
});
