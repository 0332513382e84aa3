//! Bond graphs of whole networks: the derived graph, simulated as a model of its own, moves as the network does.
