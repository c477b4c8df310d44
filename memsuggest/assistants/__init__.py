"""Our places in the assistants: hooks, the skill, the MCP server and what its tools do."""
